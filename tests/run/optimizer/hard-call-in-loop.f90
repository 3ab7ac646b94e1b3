! Calls in loops read and write what the loop would like to keep in registers.
program hard_call_in_loop
  implicit none
  integer :: k, total, a(6), i
  common /state/ k, total
  k = 1
  total = 0
  a = (/ 1, 2, 3, 4, 5, 6 /)
  do i = 1, 6
    total = total + k * a(i)
    call tick(a(i))
    total = total + k * a(i)
  end do
  print *, k, total, a
  do i = 1, 6
    if (a(i) > k) call tick(k)
    a(i) = k
  end do
  print *, k, total, a
end program
subroutine tick(x)
  implicit none
  integer, intent(inout) :: x
  integer :: k, total
  common /state/ k, total
  k = k + 1
  total = total - 1
  x = x + 10
end subroutine
! aliases: a variable of COMMON is passed to a procedure that changes it.
