! told at 12:22: Index '4' of dimension 1 of array 't%inner%a' above upper bound of 3
program fault
  type inner_type
    integer :: a(3) = 1
  end type
  type outer_type
    type(inner_type) :: inner
  end type
  type(outer_type) :: t
  integer :: n
  n = 4
  print *, t%inner%a(n)
end program
