! told at 6:22: The result of function 'first' is not set
program fault
  integer :: a(3) = [1, 2, 3]
  print *, first(a, 4)
contains
    integer function first(a, k)
      integer, intent(in) :: a(:), k
      integer :: i
      do i = 1, size(a)
        if (a(i) == k) first = i
      end do
    end function
end program
