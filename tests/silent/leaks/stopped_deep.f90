! STOP in a procedure: the pointers of the procedures that run still have their targets.
module m
contains
  subroutine outer
    real, pointer :: a(:)
    allocate (a(4))
    a = 1
    print *, sum(a)
    call middle(3)
  end subroutine
  recursive subroutine middle(n)
    integer, intent(in) :: n
    integer, pointer :: k
    allocate (k)
    k = n
    print *, k
    if (n > 0) then
      call middle(n - 1)
    else
      call inner
    end if
  end subroutine
  subroutine inner
    type holder
      integer, pointer :: v(:)
    end type
    type(holder) :: h
    allocate (h%v(2))
    h%v = 5
    print *, sum(h%v)
    stop
  end subroutine
end module
program right
  use m
  call outer
end program
