! ENTRY with POINTER and ALLOCATABLE results and dummy arguments, in a module
module lists
  implicit none
  type :: node
    integer :: key = 0
    type(node), pointer :: next => null()
  end type
  type(node), pointer, save :: head => null()
  integer, target, save :: pool(6) = [1, 2, 3, 4, 5, 6]
contains
  ! A scalar POINTER to a type.
  function first() result(p)
    type(node), pointer :: p, q
    integer, intent(in) :: key
    p => head
    return
  entry find(key) result(q)
    q => head
    do while (associated(q))
      if (q%key == key) return
      q => q%next
    end do
    return
  entry push(key) result(q)
    allocate (q)
    q%key = key
    q%next => head
    head => q
  end function

  ! Array POINTER results.
  function evens() result(p)
    integer, pointer :: p(:), q(:)
    integer, intent(in) :: lo, hi
    p => pool(2::2)
    return
  entry part(lo, hi) result(q)
    q => pool(lo:hi)
  end function

  ! ALLOCATABLE array results whose form depends on the arguments of one name.
  function ones(n) result(a)
    integer, intent(in) :: n
    real, allocatable :: a(:), b(:)
    real, intent(in) :: x(:)
    integer :: i
    allocate (a(n))
    a = 1
    return
  entry sums(x) result(b)
    b = [(sum(x(:i)), i = 1, size(x))]
  end function

  ! CHARACTER of deferred length.
  function twice(s) result(r)
    character(*), intent(in) :: s
    character(:), allocatable :: r, t
    r = s // s
    return
  entry bracket(s) result(t)
    t = '[' // s // ']'
  end function

  ! POINTER and ALLOCATABLE dummy arguments; those of the other name are absent.
  subroutine fill(a, n)
    integer, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    integer, pointer, intent(inout) :: p(:)
    character(:), allocatable, intent(inout) :: text
    integer, pointer, optional, intent(in) :: s
    integer :: i
    if (allocated(a)) deallocate (a)
    allocate (a(n), source=[(i * i, i = 1, n)])
    return
  entry attach(p, text, s)
    if (.not. associated(p)) p => pool
    p => p(size(p):1:-1)
    text = text // '+'
    if (present(s)) p = p + s
  end subroutine
end module

program entries
  use lists
  implicit none
  type(node), pointer :: p
  integer, pointer :: v(:), w
  integer, allocatable :: a(:)
  character(:), allocatable :: text
  integer :: k
  print *, associated(first())
  do k = 1, 4
    p => push(k * 10)
  end do
  p => first()
  print *, p%key
  p => find(20)
  print *, p%key, p%next%key, associated(find(5))
  v => evens()
  print *, v, lbound(v), size(v)
  v => part(3, 5)
  v = -v
  print *, pool
  print *, ones(3), sums([1., 2., 3.5])
  print *, twice('ab'), len(twice('abc')), bracket('x'), len(bracket(''))
  call fill(a, 4)
  call fill(a, 5)
  print *, a
  nullify (v)
  text = 'z'
  call attach(v, text)
  print *, v, text
  allocate (w)
  w = 100
  call attach(v, text, w)
  print *, v, text, len(text)
  print *, pool
end program
