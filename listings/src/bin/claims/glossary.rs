use crate::Claim;

pub fn claims() -> Vec<Claim> {
    vec![]
}
