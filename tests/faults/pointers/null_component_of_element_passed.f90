! told at 12:13: Pointer actual argument 'x%l' is not associated
program fault
  type leaf
    integer :: k = 1
  end type
  type node
    type(leaf), pointer :: l => null()
  end type
  type(node) :: x(2)
  allocate (x(1)%l)
  call show(x(1)%l)
  call show(x(2)%l)
contains
  subroutine show(y)
    type(leaf), intent(in) :: y
    print *, y%k
  end subroutine
end program
