program p
  type t
    type(u) :: x
  end type
  type u
    integer :: i
  end type
  type(t) :: a
end program
