! Variables where constants are demanded.
program constant_not_constant
  implicit none
  integer :: n, i
  integer, parameter :: m = n + 1
  integer :: a(n)
  character(len=n) :: s
  integer :: k = n
  select case (i)
  case (n)
    print *, 1
  end select
end program
