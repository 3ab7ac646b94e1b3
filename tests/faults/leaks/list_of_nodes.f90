! told at 12:15: Memory of pointer 'n' is never deallocated: 64 bytes in 4 allocations
! flags: -fcheck=leaks
program fault
  type node
    integer :: v
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: head, n
  integer :: i
  nullify (head)
  do i = 1, 5
    allocate (n)
    n%v = i
    n%next => head
    head => n
  end do
  print *, head%v
  deallocate (head)
  nullify (n)
end program
