! EXTRINSIC prefixes in every place and form, with interfaces.
extrinsic(hpf) program prefixes
  implicit none
  interface
    extrinsic(hpf_local) subroutine part(x)
      real, intent(inout) :: x(:)
!HPF$ DISTRIBUTE x(BLOCK)
    end subroutine
    extrinsic(hpf_serial) function total(x) result(s)
      real, intent(in) :: x(:)
      real :: s
    end function
    pure extrinsic(model='GLOBAL', language='HPF') subroutine twice(x)
      real, intent(inout) :: x(:)
    end subroutine
  end interface
  real, external :: plus
  real :: a(8)
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
  call part(a)
  call twice(a)
  print *, nint(total(a)), nint(plus(1.0))
end program

extrinsic (hpf_local) subroutine part(x)
  implicit none
  real, intent(inout) :: x(:)
  x = x + 1
end subroutine

extrinsic(HPF_SERIAL) function total(x) result(s)
  implicit none
  real, intent(in) :: x(:)
  real :: s
  s = sum(x)
end function

pure extrinsic(model='GLOBAL', language='HPF') subroutine twice(x)
  implicit none
  real, intent(inout) :: x(:)
  x = 2*x
end subroutine

real extrinsic(hpf) function plus(x)
  implicit none
  real, intent(in) :: x
  plus = x + 1
end function
