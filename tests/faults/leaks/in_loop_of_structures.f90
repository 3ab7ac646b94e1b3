! told at 15:15: Memory of pointer 'x%p' is never deallocated: 24 bytes in 3 allocations
! flags: -fcheck=leaks
program fault
  type t
    real, pointer :: p(:)
  end type
  integer :: i
  do i = 1, 3
    call one(i)
  end do
contains
  subroutine one(n)
    integer, intent(in) :: n
    type(t) :: x
    allocate (x%p(n))
    x%p = n
    print *, sum(x%p)
  end subroutine
end program
