! What is passed for a dummy procedure is one, and of the same type; a TARGET is in no EQUIVALENCE.
module m
contains
  subroutine s(f)
    interface
      real function f(x)
        real, intent(in) :: x
      end function
    end interface
    print *, f(1.0)
  end subroutine
  subroutine e(f)
    external f
    call f
  end subroutine
end module
program p
  use m
  real :: v
  real, target :: t
  intrinsic cos, iabs
  equivalence (v, t)
  call s(v)
  call s(1.0)
  call s(cos)
  call s(iabs)
  call e(v)
end program
