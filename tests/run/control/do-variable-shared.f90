! The DO variable of an inner loop is an ordinary variable afterwards, and a
! variable in COMMON may be one.
program do_variable_shared
  implicit none
  integer :: i, n
  common /loop/ i, n
  n = 0
  do i = 1, 4
    call look
  end do
  print *, i, n
end program
subroutine look
  implicit none
  integer :: i, n
  common /loop/ i, n
  n = n * 10 + i
end subroutine
