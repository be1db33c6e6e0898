//! The run: a machine that decides, a driver that performs, a journal that remembers.
