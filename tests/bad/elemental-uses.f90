! What elemental procedures cannot be used for, and what PRESENT cannot ask about.
program elemental_uses
  implicit none
  integer :: i, j(2)
  call change(i, j)
  call change(j, i)
  call apply(twice)
contains
  elemental subroutine change(a, b)
    integer, intent(out) :: a
    integer, intent(in) :: b
    a = b
  end subroutine
  elemental integer function twice(n)
    integer, intent(in) :: n
    twice = 2*n
  end function
  subroutine apply(f)
    integer, external :: f
    print *, f(1)
  end subroutine
  subroutine takes(g, o)
    interface
      elemental real function g(x)
        real, intent(in) :: x
      end function
    end interface
    integer, optional :: o(3)
    print *, present(o(1)), present(o)
  end subroutine
  subroutine starts(p)
    real, pointer :: p => null()
  end subroutine
end program
