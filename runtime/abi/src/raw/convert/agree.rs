//! Makes figures of parts agree with the figures of their wholes, after each was found by itself.

use crate::profile::{Construct, Group};

/// The members of a group have a joint time, and so a joint error: that of the sum of their samples.
pub(super) fn errors_of_groups(constructs: &mut [Construct], groups: &[Group]) {
    for group in groups {
        let is_member = |c: &&mut Construct| group.members.contains(&c.serial);
        let times = constructs.iter_mut().filter(is_member).filter_map(|c| c.time.as_mut());
        let mut times: Vec<_> = times.collect();
        let error = times.iter().map(|t| (t.error_ns as f64).powi(2)).sum::<f64>().sqrt().round() as u64;
        for t in &mut times {
            (t.error_ns, t.inclusive_error_ns) = (error, t.inclusive_error_ns.max(error));
        }
    }
}

/// Time in other code is a part of the construct's own time, which may be less than its samples show.
pub(super) fn foreign(constructs: &mut [Construct]) {
    for c in constructs {
        let (Some(time), all) = (c.time, c.foreign.iter().map(|f| f.ns).sum::<u64>()) else { continue };
        if all > time.exclusive_ns {
            let fit = time.exclusive_ns as f64 / all as f64;
            c.foreign.iter_mut().for_each(|f| f.ns = (f.ns as f64 * fit) as u64);
            c.foreign.retain(|f| f.ns > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Foreign, Time};

    fn construct(serial: u32, exclusive_ns: u64, error_ns: u64) -> Construct {
        let time =
            Time { inclusive_ns: exclusive_ns, exclusive_ns, estimated: error_ns > 0, error_ns, ..Time::default() };
        Construct { serial, time: Some(time), ..Construct::default() }
    }

    #[test]
    fn members_have_the_error_of_the_group() {
        let mut all = [construct(1, 10, 3), construct(2, 20, 4), construct(3, 30, 0)];
        errors_of_groups(&mut all, &[Group { members: vec![1, 2], ..Group::default() }]);
        assert_eq!(all.map(|c| c.time.unwrap().error_ns), [5, 5, 0]);
    }

    #[test]
    fn other_code_takes_no_longer_than_what_calls_it() {
        let mut all = [construct(1, 100, 0), construct(2, 100, 0)];
        let foreign_of = |ns: &[u64]| ns.iter().map(|&ns| Foreign { name: "sin".into(), ns }).collect();
        (all[0].foreign, all[1].foreign) = (foreign_of(&[150, 50]), foreign_of(&[60, 40]));
        foreign(&mut all);
        let ns = |c: &Construct| c.foreign.iter().map(|f| f.ns).collect::<Vec<_>>();
        assert_eq!((ns(&all[0]), ns(&all[1])), (vec![75, 25], vec![60, 40]));
    }
}
