! told at 10:5: Index '4' of dimension 1 of array 't' above upper bound of 3
program fault
  type t_
    integer :: a
  end type
  type(t_) :: t(3)
  integer :: n
  n = 4
  t%a = 0
  t(n)%a = 2
  print *, t%a
end program
