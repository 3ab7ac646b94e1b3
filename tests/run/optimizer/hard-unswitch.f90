! Conditions that look invariant: some are, some change, some have effects.
program hard_unswitch
  implicit none
  integer :: a(10), i, k, calls
  logical :: flag, other
  calls = 0
  flag = .true.
  do k = 1, 2
    do i = 1, 10
      if (flag) then
        a(i) = i * k
      else
        a(i) = -i * k
      end if
    end do
    print *, sum(a)
    flag = .not. flag
  end do
  flag = .true.
  do i = 1, 10
    if (flag) then
      a(i) = 1
      if (i == 4) flag = .false.
    else
      a(i) = 2
    end if
  end do
  print *, a
  do i = 1, 10
    if (asked()) a(i) = a(i) + 10
  end do
  print *, a, calls
  k = 0
  other = .false.
  do i = 1, k
    if (10 / k > 3) a(i) = 0
  end do
  do i = 1, 10
    if (other) exit
    if (a(i) == 12) then
      a(i) = 99
      cycle
    end if
    a(i) = 0
  end do
  print *, a
contains
  logical function asked()
    calls = calls + 1
    asked = mod(calls, 3) == 0
  end function asked
end program
