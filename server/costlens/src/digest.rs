//! SHA-256 (FIPS 180-4), which identifies texts in certificates, so that they can be compared with the output of `sha256sum`.

use std::fmt::Write as _;

/// The fractional bits of the square roots of the first eight primes.
const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// Returns the SHA-256 of bytes as hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let constants = constants();
    let mut state = START;
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    let bits = (bytes.len() as u64).wrapping_mul(8);
    message.extend(bits.to_be_bytes());
    for block in message.chunks_exact(64) {
        compress(&mut state, block, &constants);
    }
    state.iter().fold(String::new(), |mut out, word| {
        let _ = write!(out, "{word:08x}");
        out
    })
}

/// Returns the first 32 fractional bits of the cube roots of the first 64 primes.
fn constants() -> [u32; 64] {
    let mut primes = (2_u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    std::array::from_fn(|_| {
        let prime = primes.next().unwrap_or(2);
        // The cube root of p·2^96 is the cube root of p, shifted left by 32 bits.
        let (mut low, mut high) = (0_u128, 1 << 36);
        while high - low > 1 {
            let middle = u128::midpoint(low, high);
            match middle * middle * middle <= prime << 96 {
                true => low = middle,
                false => high = middle,
            }
        }
        (low & 0xffff_ffff) as u32
    })
}

fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, &b| word << 8 | u32::from(b));
    }
    for i in 16..64 {
        let (a, b) = (words[i - 15], words[i - 2]);
        let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        words[i] = (words[i - 16].wrapping_add(s0))
            .wrapping_add(words[i - 7])
            .wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (constant, word) in constants.iter().zip(words) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let one = (h.wrapping_add(s1).wrapping_add(choice))
            .wrapping_add(*constant)
            .wrapping_add(word);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let two = s0.wrapping_add(majority);
        (h, g, f, e) = (g, f, e, d.wrapping_add(one));
        (d, c, b, a) = (c, b, a, one.wrapping_add(two));
    }
    for (old, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *old = old.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn digests_are_those_of_the_standard() {
        for (text, expected) in [
            (
                "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ] {
            assert_eq!(sha256(text.as_bytes()), expected, "{text}");
        }
        let long = "a".repeat(1_000_000);
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(sha256(long.as_bytes()), expected);
    }
}
