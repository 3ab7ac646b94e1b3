//! News that ranks tell one another beside the messages of the program: that they have ended, have told of an error, or give the run up; and
//! whether they wait in a circle.
//!
//! A rank that has waited for some time asks the rank that it waits for. A rank that waits, too, asks on, with its own name added. If the
//! question comes back, the ranks in it wait for one another. If it comes back twice with the same waits in it, none of them has gone on
//! in between. A message may be on its way all the time, so nobody asks on for a rank to which something of its own is on the way.

use super::super::transport::{complain, in_line};
use super::{DATA, Mpi, NEWS, Wait};
use std::sync::atomic::Ordering;

/// Something that one rank tells another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum News {
    /// The rank has come to its end in order.
    Ended,
    /// An error has been told.
    Told,
    /// The run is over, with this exit code.
    GivenUp(i32),
    /// The question: each waits for the next, and the last one for the rank that gets it.
    Asked(Vec<Link>),
}

/// A rank that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Link {
    rank: usize,
    wait: Wait,
    /// `file:line`.
    place: String,
}

impl News {
    fn to_text(&self) -> String {
        match self {
            News::Ended => "ended".to_owned(),
            News::Told => "told".to_owned(),
            News::GivenUp(code) => format!("given-up {code}"),
            News::Asked(links) => {
                let line = |l: &Link| {
                    let kind = if l.wait.for_room { "room" } else { "data" };
                    let place = l.place.replace('\n', "?");
                    format!("\n{} {} {} {kind} {place}", l.rank, l.wait.peer, l.wait.number)
                };
                format!("asked{}", links.iter().map(line).collect::<String>())
            }
        }
    }

    fn of_text(text: &str) -> Option<News> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        Some(match first.split_once(' ').unwrap_or((first, "")) {
            ("ended", _) => News::Ended,
            ("told", _) => News::Told,
            ("given-up", code) => News::GivenUp(code.parse().ok()?),
            ("asked", _) => News::Asked(rest.lines().map(Link::of_text).collect::<Option<_>>()?),
            _ => return None,
        })
    }
}

impl Link {
    fn of_text(line: &str) -> Option<Link> {
        let mut words = line.splitn(5, ' ');
        let mut number = || words.next()?.parse::<u64>().ok();
        let (rank, peer, number) = (number()? as usize, number()? as usize, number()?);
        let for_room = words.next()? == "room";
        Some(Link { rank, wait: Wait { peer, for_room, number }, place: words.next()?.to_owned() })
    }

    /// `rank 0 waits for rank 1 in line 77 of file x.f90`.
    fn story(&self) -> String {
        format!("rank {} waits for rank {}{}", self.rank, self.wait.peer, in_line(self.place.as_bytes()))
    }
}

impl Mpi {
    /// Tells another rank.
    pub(super) fn tell(&self, to: usize, news: &News) {
        self.post(to, NEWS, news.to_text().as_bytes());
    }

    /// Notes that the run is over; false if it was noted before.
    pub(super) fn note_given_up(&self, code: i32) -> bool {
        self.given_up.compare_exchange(0, (code & 0xff) + 1, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Takes the news that are there. `wait` says for whom this rank waits.
    pub(super) fn listen(&self, wait: Option<Wait>) {
        for from in (0..self.size).filter(|&r| r != self.rank) {
            while let Some(length) = self.library.waiting(self.world, from, NEWS) {
                let news = News::of_text(&String::from_utf8_lossy(&self.take(from, NEWS, length)));
                debug_assert!(news.is_some(), "ranks understand one another");
                match news {
                    Some(News::Ended) => self.ended[from].store(true, Ordering::SeqCst),
                    Some(News::Told) => self.told.store(true, Ordering::SeqCst),
                    Some(News::GivenUp(code)) => _ = self.note_given_up(code),
                    Some(News::Asked(links)) => self.answer(links, wait),
                    None => {}
                }
            }
        }
    }

    /// Asks the rank that this one waits for.
    pub(super) fn ask(&self, wait: Wait) {
        self.tell(wait.peer, &News::Asked(vec![self.link(wait)]));
    }

    fn link(&self, wait: Wait) -> Link {
        Link { rank: self.rank, wait, place: String::from_utf8_lossy(self.location()).into_owned() }
    }

    fn answer(&self, mut links: Vec<Link>, wait: Option<Wait>) {
        // A rank that computes will go on by itself.
        let Some(wait) = wait else { return };
        let Some((first, last)) = links.first().zip(links.last()) else { return };
        let is_served = if last.wait.for_room {
            !wait.for_room && wait.peer == last.rank
        } else {
            self.talk().outgoing.iter().any(|o| o.to == last.rank && o.tag == DATA)
        };
        if is_served {
            return;
        }
        if first.rank == self.rank {
            if first.wait == wait && links.iter().all(|l| l.rank >= self.rank) {
                self.note_circle(&links);
            }
        } else if links.iter().all(|l| l.rank != self.rank) {
            links.push(self.link(wait));
            self.tell(wait.peer, &News::Asked(links));
        }
    }

    /// Notes that a question has come back to the first rank of a circle, which tells if it is the second time.
    fn note_circle(&self, links: &[Link]) {
        let text = News::Asked(links.to_vec()).to_text();
        let is_again = self.talk().circle.replace(text.clone()) == Some(text);
        if is_again {
            let mut links: Vec<&Link> = links.iter().collect();
            links.sort_by_key(|l| l.rank);
            let stories: Vec<String> = links.into_iter().map(Link::story).collect();
            complain(self, &format!("deadlock: {}", stories.join(", ")));
            self.talk().is_deadlock = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Link, News, Wait};

    #[test]
    fn news_come_as_they_were_sent() {
        let link = |rank, for_room, place: &str| {
            let wait = Wait { peer: 63, for_room, number: u64::MAX };
            Link { rank, wait, place: place.to_owned() }
        };
        let links = vec![link(0, true, "a b.f90:12"), link(7, false, "")];
        for news in [News::Ended, News::Told, News::GivenUp(255), News::Asked(links), News::Asked(vec![])] {
            assert_eq!(News::of_text(&news.to_text()), Some(news));
        }
        for text in ["", "asked\n1 2", "asked\nx 1 2 data y", "given-up x", "else"] {
            assert_eq!(News::of_text(text), None, "{text:?}");
        }
    }

    #[test]
    fn stories_name_rank_and_line() {
        let wait = Wait { peer: 2, for_room: false, number: 1 };
        let link = Link { rank: 1, wait, place: "x.f90:9".to_owned() };
        assert_eq!(link.story(), "rank 1 waits for rank 2 in line 9 of file x.f90");
    }
}
