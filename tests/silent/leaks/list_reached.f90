program right
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
  n => head%next
  deallocate (head)
end program
