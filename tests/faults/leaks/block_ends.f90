! told at 6:15: Memory of pointer 'p' is never deallocated: 32 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  block
    real(8), pointer :: p(:)
    allocate (p(4))
    p = 1
    print *, sum(p)
  end block
end program
