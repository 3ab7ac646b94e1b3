program p
  type t
    integer :: b(3) = 1
  end type
  type(t) :: a(2)
  print *, a(:)%b(:)
end program
