module trees
  type tree
    integer :: key
    type(tree), pointer :: left => null(), right => null()
  end type
contains
  recursive subroutine insert(t, key)
    type(tree), pointer :: t
    integer, intent(in) :: key
    if (.not. associated(t)) then
      allocate (t)
      t%key = key
    else if (key < t%key) then
      call insert(t%left, key)
    else
      call insert(t%right, key)
    end if
  end subroutine
  recursive subroutine remove(t)
    type(tree), pointer :: t
    if (.not. associated(t)) return
    call remove(t%left)
    call remove(t%right)
    deallocate (t)
  end subroutine
  recursive integer function depth(t) result(d)
    type(tree), pointer, intent(in) :: t
    d = 0
    if (associated(t)) d = 1 + max(depth(t%left), depth(t%right))
  end function
end module
program right
  use trees
  type(tree), pointer :: root
  integer :: i, k
  do k = 1, 5
    nullify (root)
    do i = 1, 300
      call insert(root, mod(i * 7919, 1009))
    end do
    print *, depth(root)
    call remove(root)
  end do
end program
