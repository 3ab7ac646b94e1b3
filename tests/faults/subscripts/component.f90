! told at 10:7: Index '4' of dimension 1 of array 't%a' above upper bound of 3
program fault
  type t_
    integer :: a(3)
  end type
  type(t_) :: t
  integer :: n
  n = 4
  t%a = 0
  t%a(n) = 2
  print *, t%a
end program
