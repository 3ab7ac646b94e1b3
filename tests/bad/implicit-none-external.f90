! IMPLICIT NONE (EXTERNAL): what is called must be declared.
module m
  implicit none (type, external)
contains
  subroutine s
    external :: declared
    real, external :: f
    call inner
    call declared(1)
    call other(f(2.0))
    print *, sin(1.0)
  end subroutine
  subroutine inner
    call third
  end subroutine
end module
subroutine free
  x = 1
  call anything(x)
end subroutine
