! told at 9:3: Allocatable variable 't%a' is not allocated
program fault
  type t_
    integer, allocatable :: a(:)
  end type
  type(t_) :: t
  integer :: k
  k = 1
  t%a(k) = 2
end program
