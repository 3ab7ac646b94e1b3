! told at 12:15: Memory of pointer 'last' is never deallocated: 24 bytes in 2 allocations
! flags: -fcheck=leaks
program fault
  integer :: i
  do i = 1, 3
    call s(i)
  end do
contains
  subroutine s(n)
    integer, intent(in) :: n
    integer, pointer, save :: last(:)
    allocate (last(3))
    last = n
    print *, last
  end subroutine
end program
