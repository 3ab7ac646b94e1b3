program p
  type t
    integer, allocatable :: b
  end type
  type(t) :: a(2)
  print *, a%b
end program
