//! Damaged, hostile and unlucky surroundings.

mod damage;
mod faults;
mod hostile;
mod promises;
mod trust;
