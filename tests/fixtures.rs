//! Annotated programs and what they promise.
#![cfg(test)]

fn main() {
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), Vec::new()).exit();
}
