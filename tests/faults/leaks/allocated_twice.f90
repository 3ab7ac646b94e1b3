! told at 7:15: Memory of pointer 'p' is never deallocated: 32 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  integer, pointer :: p(:)
  integer :: i
  do i = 1, 2
    allocate (p(8))
    p = i
  end do
  print *, p
  deallocate (p)
end program
