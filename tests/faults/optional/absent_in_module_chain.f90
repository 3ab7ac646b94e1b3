! told at 7:13: Optional argument 'scale' is not present
module inner
contains
  subroutine work(x, scale)
    real, intent(inout) :: x(:)
    real, intent(in), optional :: scale
    x = x * scale
  end subroutine
end module
module outer
  use inner
contains
  subroutine drive(x, scale)
    real, intent(inout) :: x(:)
    real, intent(in), optional :: scale
    call work(x, scale)
  end subroutine
end module
program fault
  use outer
  real :: x(3) = 1
  call drive(x, 2.0)
  call drive(x)
  print *, x
end program
