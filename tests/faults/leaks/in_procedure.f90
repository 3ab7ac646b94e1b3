! told at 12:15: Memory of pointer 'buffer' is never deallocated: 1200 bytes in 3 allocations
! flags: -fcheck=leaks
program fault
  integer :: i
  do i = 1, 3
    call work(i)
  end do
contains
  subroutine work(n)
    integer, intent(in) :: n
    real, pointer :: buffer(:)
    allocate (buffer(100))
    buffer = n
    print *, sum(buffer)
  end subroutine
end program
