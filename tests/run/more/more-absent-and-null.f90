! Absent arguments, null pointers and unallocated arrays where they may be mentioned: inquiries, arguments, assignments.
program absent
  implicit none
  type node
    integer :: value = 0
    type(node), pointer :: next => null()
    integer, allocatable :: data(:)
  end type
  type(node), pointer :: list, p
  integer, allocatable :: a(:), b(:), n
  integer, pointer :: q(:), r
  procedure(integer), pointer :: f
  integer, target :: t(4) = [1, 2, 3, 4]
  integer :: k
  nullify (q, r, list)
  f => null()
  print *, allocated(a), associated(q), associated(r), associated(f), associated(q, t)
  a = [1, 2]
  n = 5
  call move_alloc(a, b)
  print *, allocated(a), b, n
  call s()
  call s(a)
  call s(b, t(2:3), 7)
  q => t(4:1:-1)
  call s(x=q, k=n)
  do k = 1, 3
    allocate (p)
    p%value = k
    p%next => list
    list => p
  end do
  p => list
  do while (associated(p))
    print *, p%value, associated(p%next), allocated(p%data)
    p => p%next
  end do
  deallocate (b)
  b = [integer ::]
  print *, size(b), allocated(b)
  do while (associated(list))
    p => list%next
    deallocate (list)
    list => p
  end do
  deallocate (b, stat=k)
  print *, k
  deallocate (b, stat=k)
  print *, k /= 0
contains
  subroutine s(a, x, k)
    integer, allocatable, intent(in), optional :: a(:)
    integer, intent(in), optional :: x(:)
    integer, intent(in), optional :: k
    logical :: has
    has = .false.
    if (present(a)) has = allocated(a)
    print *, present(a), has, present(x), present(k)
    if (present(x)) print *, sum(x)
    call deeper(x, k)
  end subroutine
  subroutine deeper(x, k)
    integer, intent(in), optional :: x(:), k
    if (present(x) .and. present(k)) print *, x * k
  end subroutine
end program
