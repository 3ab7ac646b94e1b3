//! The link between two ranks: the seconds that a message is on its way, and the bytes a second.
//!
//! In a rehearsal it is the price of messages. The transport between processes of one machine can be made as slow by
//! `TRUELINE_LINK=1e-3:1e8`, or from one rank to another by `TRUELINE_LINK=1e-3:1e8@0-2`, to see how a program does on another network.

use std::time::{Duration, Instant};

/// The variable that slows the transport.
pub(super) const VARIABLE: &str = "TRUELINE_LINK";

/// Shorter times are waited for without sleeping.
const NAP: Duration = Duration::from_micros(200);

/// The way between two ranks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Link {
    /// Seconds from sending to arriving.
    pub(super) latency: f64,
    /// Bytes a second.
    pub(super) bandwidth: f64,
}

impl Link {
    /// `2e-6:4e9`
    pub(super) fn parse(text: &str) -> Option<Link> {
        let (latency, bandwidth) = text.split_once(':')?;
        let (latency, bandwidth) = (latency.parse::<f64>().ok()?, bandwidth.parse::<f64>().ok()?);
        let is_sound = (0.0..1e3).contains(&latency) && bandwidth.is_finite() && bandwidth > 0.0;
        is_sound.then_some(Link { latency, bandwidth })
    }

    /// The seconds that it takes these bytes to pass.
    pub(super) fn seconds(&self, bytes: usize) -> f64 {
        bytes as f64 / self.bandwidth
    }
}

/// Links that are slower than the transport.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Slow {
    link: Link,
    /// The only sender and receiver, if there is only one of each.
    only: Option<(usize, usize)>,
}

impl Slow {
    /// `1e-3:1e8`, `1e-3:1e8@0-2`
    pub(super) fn parse(text: &str) -> Option<Slow> {
        let (link, only) = match text.split_once('@') {
            None => (text, None),
            Some((link, only)) => {
                let (from, to) = only.split_once('-')?;
                (link, Some((from.parse().ok()?, to.parse().ok()?)))
            }
        };
        Some(Slow { link: Link::parse(link)?, only })
    }

    /// Waits as long as the bytes are on their way between these ranks.
    pub(super) fn pass(&self, from: usize, to: usize, bytes: usize) {
        if self.only.is_some_and(|only| only != (from, to)) {
            return;
        }
        let begin = Instant::now();
        let time = Duration::from_secs_f64(self.link.latency + self.link.seconds(bytes));
        if time > NAP {
            std::thread::sleep(time - NAP / 2);
        }
        while begin.elapsed() < time {
            std::hint::spin_loop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_two_numbers() {
        assert_eq!(Link::parse("1e-6:2e9"), Some(Link { latency: 1e-6, bandwidth: 2e9 }));
        for wrong in ["", "1", "1:0", "-1:5", "x:5", "1:inf", "nan:1"] {
            assert_eq!(Link::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn one_link_may_be_slow() {
        let link = Link { latency: 0.5, bandwidth: 10.0 };
        assert_eq!(Slow::parse("0.5:10"), Some(Slow { link, only: None }));
        assert_eq!(Slow::parse("0.5:10@0-12"), Some(Slow { link, only: Some((0, 12)) }));
        assert_eq!(Slow::parse("0.5:10@0"), None);
        let begin = Instant::now();
        Slow { link: Link { latency: 1e-3, bandwidth: 1e6 }, only: None }.pass(0, 1, 1000);
        assert!(begin.elapsed() >= Duration::from_millis(2));
    }
}
