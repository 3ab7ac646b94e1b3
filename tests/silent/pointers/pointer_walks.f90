! A pointer walks over a list to its end, and one over the pointers in it.
program right
  type node
    integer :: v = 0
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: first, p, q
  integer :: i
  nullify (first)
  do i = 1, 4
    allocate (p)
    p%v = i
    p%next => first
    first => p
  end do
  p => first
  do while (associated(p))
    q => p%next
    if (associated(q)) then
      if (q%v == 2) then
        p%next => q%next
        deallocate (q)
      end if
    end if
    p => p%next
  end do
  p => first
  i = 0
  do while (associated(p))
    i = 10 * i + p%v
    q => p
    p => p%next
    deallocate (q)
  end do
  print *, i
end program
