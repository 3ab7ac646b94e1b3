program right
  type node
    integer :: v
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: head, n
  integer :: i, total
  nullify (head)
  do i = 1, 50
    allocate (n)
    n%v = i
    n%next => head
    head => n
  end do
  total = 0
  do while (associated(head))
    n => head%next
    total = total + head%v
    deallocate (head)
    head => n
  end do
  print *, total
end program
