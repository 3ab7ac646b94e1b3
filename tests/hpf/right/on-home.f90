! ONHOME, ON HOME with clauses, RESIDENT, blocks of both.
! spelling 1
program computation
  implicit none
  integer :: i
  real :: a(16), b(16), t
!HPF$ PROCESSORS p(4)
!HPF$ DISTRIBUTE (BLOCK) ONTO p :: a, b
  b = 1
!HPF$ INDEPENDENT, NEW(t), ONHOME(a(i))
  do i = 1, 16
    t = b(i) + i
    a(i) = t
  end do
!HPF$ INDEPENDENT, NEW(t), ON HOME(a(i)), RESIDENT(a, b)
  do i = 1, 16
    t = a(i) + b(i)
    a(i) = t
  end do
!HPF$ ONHOME(a(1))
  a(1) = a(1) + 1
!HPF$ ON HOME (a(2)), RESIDENT BEGIN
  a(2) = a(2) + 1
  a(3) = a(3) + 1
!HPF$ END ON
!HPF$ ON (p(1))
  a(4) = a(4) + 1
!HPF$ RESIDENT (a) BEGIN
  a(5) = a(5) + 1
!HPF$ END RESIDENT
  print *, nint(sum(a))
end program
