! MERGE of values of different derived types, and of one and a number.
program p
  implicit none
  type a
    integer :: k
  end type
  type b
    integer :: k
  end type
  type(a) :: x
  type(b) :: y
  logical :: l = .true.
  x = merge(x, y, l)
  print *, merge(x, x, l), merge(1, x, l)
end program
