! told at 10:29, where i = 11: Index '21' of dimension 1 of array 'b' above upper bound of 20
program fault
  integer, parameter :: n = 20
  real(8) :: a(n) = 0, b(n) = 1
  integer :: i, k(n)
  do i = 1, n
    k(i) = i
  end do
  k(11) = 21
  forall (i = 1:n) a(i) = b(k(i)) * 2
  print *, a
end program
