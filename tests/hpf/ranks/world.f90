! counts vary
! Clocks, random numbers and the environment have one answer for all ranks, also where they decide.
program world
  integer, parameter :: n = 16
  real :: r(n), s, t0, t1
!HPF$ DISTRIBUTE r(CYCLIC)
  integer(8) :: c0, c1, rate
  integer :: i, v(8), seed(8), k, got
  character(8) :: date
  character(200) :: name
  real :: tarray(2)
  call cpu_time(t0)
  call system_clock(c0, rate)
  call random_number(r)
  do i = 1, n
    if (r(i) < 0.5) r(i) = r(i) + 0.5
  end do
  do while (any(r > 0.99))
    call random_number(s)
    where (r > 0.99) r = 0.5 + s / 2.1
  end do
  print *, all(r >= 0.5 .and. r <= 0.99)
  seed = 7
  call random_seed(put=seed)
  call random_number(s)
  r(3) = s
  print '(f9.6)', r(3)
  call random_seed()
  call random_number(s)
  k = int(s * 1000)
  do i = 1, k
    r(mod(i, n) + 1) = i
  end do
  call date_and_time(date, values=v)
  k = v(8) + v(7)
  do i = 1, k
    r(mod(i, n) + 1) = r(mod(i, n) + 1) + i
  end do
  call system_clock(c1)
  call cpu_time(t1)
  do i = 1, int(mod(c1, 50_8))
    r(mod(i, n) + 1) = 0
  end do
  print *, c1 >= c0, t1 >= t0, rate > 0, len_trim(date), v(1) > 2000
  call get_environment_variable('PATH', name, length=got)
  print *, got > 0
  k = mod(getpid(), 13)
  do i = 1, k
    r(mod(i, n) + 1) = k
  end do
  s = etime(tarray)
  print *, s >= 0, tarray(1) <= s, sum(r) > -1
end program
