! RANDOM_SEED and RANDOM_NUMBER by their properties; clocks; dates.
program p
  implicit none
  integer :: n, v(8), c1, c2, rate
  integer, allocatable :: seed(:)
  real :: x(5), y(5), z(2,2)
  real(8) :: t1, t2
  character(len=8) :: d
  character(len=10) :: t
  character(len=5) :: zone
  call random_seed(size=n)
  allocate (seed(n))
  seed = 42
  call random_seed(put=seed)
  call random_number(x)
  call random_seed(put=seed)
  call random_number(y)
  print *, all(x == y), all(x >= 0 .and. x < 1), n == 8
  call random_seed(get=seed)
  call random_number(z)
  call random_seed(put=seed)
  call random_number(z(1, :))
  call random_seed()
  call cpu_time(t1)
  call cpu_time(t2)
  print *, t2 >= t1
  call system_clock(c1, rate)
  call system_clock(c2)
  print *, c2 >= c1, rate > 0
  call date_and_time(d, t, zone, v)
  print *, v(1) > 2000, v(2) >= 1 .and. v(2) <= 12, len_trim(d), verify(d, '0123456789')
end program
