! Allocatable scalars as results that internal procedures reach when they are passed on.
module m
contains
  subroutine apply(f)
    external f
    call f()
  end subroutine
  function outer(n) result(x)
    integer, allocatable :: x
    integer :: n
    call apply(inner)
    x = x + 1
    call apply(again)
    if (.not. allocated(x)) x = -1
    if (n > 3) call apply(larger)
    x = x * 2
  contains
    subroutine inner()
      allocate (x)
      x = n
    end subroutine
    subroutine again()
      integer :: old
      old = x
      deallocate (x)
      allocate (x)
      x = old * 10
    end subroutine
    subroutine larger()
      x = x + 5
    end subroutine
  end function
  function pointed(n) result(x)
    real, allocatable, target :: x
    integer :: n
    procedure(), pointer :: p
    p => inner
    allocate (x)
    x = n
    call p()
    x = x + 1
  contains
    subroutine inner()
      x = x + 100
    end subroutine
  end function
  function text(n) result(x)
    character(n), allocatable :: x
    integer :: n
    call apply(inner)
    x(2:2) = 'Q'
  contains
    subroutine inner()
      allocate (x)
      x = 'abcdef'
    end subroutine
  end function
end module
program allocatable_result
  use m
  integer :: i
  do i = 2, 5
    print *, outer(i), pointed(i), text(i)
  end do
end program
