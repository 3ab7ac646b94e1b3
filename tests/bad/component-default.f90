program p
  type t
    integer :: a(100000000) = 3
  end type
  type(t) :: x
  print *, x%a(1)
end program
