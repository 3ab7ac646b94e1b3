! Pointers by several names: dummy arguments, variables of modules and hosts, components.
module lists
  implicit none
  type node
    integer :: v = 0
    type(node), pointer :: next => null()
    real, pointer :: data(:) => null()
  end type
  type(node), pointer :: head => null()
  type(node), target :: fixed
  real, target :: t1(6) = [1.,2.,3.,4.,5.,6.], t2(3) = [10.,20.,30.]
  character(:), pointer :: word => null()
contains
  subroutine link(p, q)
    type(node), pointer :: p
    real, pointer :: q(:)
    real, pointer :: old(:)
    old => fixed%data
    q => t1(2:6:2)
    print *, size(fixed%data), fixed%data
    fixed%data => old
    print *, size(q), q
    fixed = node(7, null(), t2)
    print *, size(q), q
    allocate(p)
    p%v = 5
    print *, associated(head), head%v
    head => p%next
    print *, associated(p)
  end subroutine
  pure subroutine shift(p)
    real, pointer, intent(inout) :: p(:)
    p => p(2:)
  end subroutine
  subroutine both(p)
    real, pointer :: p(:)
    call shift(fixed%data)
    print *, size(p), p
    call shift(p)
    print *, size(fixed%data), fixed%data
  end subroutine
  subroutine words(w)
    character(:), pointer :: w
    character(:), pointer :: other
    allocate(character(7) :: w)
    w = 'changed'
    print *, len(word), word
    other => word
    allocate(character(3) :: word)
    word = 'abc'
    print *, len(w), w
    deallocate(w)
    print *, associated(word)
    w => other
    print *, len(word), word
  end subroutine
  function choose(which) result(r)
    integer, intent(in) :: which
    integer, pointer :: r
    integer, target, save :: a = 1, b = 2
    call set(r)
    print *, r
    if (which == 2) call other
  contains
    subroutine set(x)
      integer, pointer :: x
      x => a
      print *, associated(r, a)
    end subroutine
    subroutine other
      r => b
    end subroutine
  end function
  function slice(n) result(r)
    integer, intent(in) :: n
    real, pointer :: r(:)
    r => t1
    call cut(r)
    print *, size(r)
  contains
    subroutine cut(x)
      real, pointer :: x(:)
      x => x(n:)
      print *, size(r), r(1)
      r => r(2:)
      print *, size(x), x(1)
    end subroutine
  end function
end module
module apply_it
contains
  subroutine apply(f, p)
    interface
      subroutine f(x)
        real, pointer :: x(:)
      end subroutine
    end interface
    real, pointer :: p(:)
    call f(p)
    print *, size(p)
  end subroutine
end module
subroutine host(n)
  use lists
  use apply_it
  implicit none
  integer, intent(in) :: n
  real, pointer :: p(:), u(:, :)
  character(:), pointer :: c
  real, pointer, save :: kept(:) => null()
  integer :: k
  real, target :: square(n, n)
  square = reshape([(real(k), k = 1, n*n)], [n, n])
  p => t1
  u => square
  call inner(p, u)
  print *, size(p), p, shape(u)
  call apply(passed, p)
  call apply(passed, kept)
  allocate(character(n) :: c)
  c = repeat('x', n)
  call chars(c)
  print *, len(c), c
contains
  subroutine inner(a, b)
    real, pointer :: a(:), b(:, :)
    p => t2(3:1:-1)
    print *, a
    a => t1(:n)
    print *, p
    u(0:, 5:) => b(1:2, 2:n)
    print *, lbound(b), ubound(b), b(0, 5)
    call deeper(u, b)
    print *, shape(u), shape(b)
    kept => a
  end subroutine
  subroutine deeper(x, y)
    real, pointer :: x(:, :), y(:, :)
    x => square(1:1, :)
    print *, shape(y), shape(u)
    nullify(y)
    print *, associated(x), associated(u)
    u => square(:, 2:3)
    print *, sum(x), sum(y)
  end subroutine
  subroutine passed(x)
    real, pointer :: x(:)
    p => t1(2:3)
    print *, size(x)
    x => t1(4:6)
    print *, size(p), p(1), size(kept)
  end subroutine
  subroutine chars(w)
    character(:), pointer :: w
    allocate(character(2) :: c)
    c = 'ok'
    print *, len(w), w
    allocate(character(9) :: w)
    w = 'ninechars'
    print *, len(c), c
  end subroutine
end subroutine
module with_entries
contains
subroutine entries(p, n)
  use lists
  implicit none
  real, pointer :: p(:), q(:)
  integer :: n
  p => t1(:n)
  print *, size(p)
  return
entry second(q, p, n)
  q => t1(n:)
  print *, size(p), size(q)
end subroutine
end module
program pointers
  use lists
  use with_entries
  implicit none
  real, pointer :: s(:)
  integer, pointer :: k
  fixed%data => t1
  call link(head, fixed%data)
  fixed%data => t1
  call both(fixed%data)
  allocate(character(4) :: word)
  word = 'word'
  call words(word)
  k => choose(1)
  k => choose(2)
  print *, k
  s => slice(2)
  print *, s
  call host(4)
  call entries(s, 4)
  call second(s, s, 3)
  call optional_pointer()
  call optional_pointer(s)
  call optional_pointer(null(), s)
  call threaded(s, [1,2,3])
contains
  subroutine optional_pointer(a, b)
    real, pointer, optional :: a(:), b(:)
    if (present(a)) then
      if (associated(a)) then
        s => t2(2:)
        print *, size(a)
        a => t1
        print *, size(s)
      end if
    end if
    if (present(b)) then
      b => t2
      print *, size(s), s
    end if
  end subroutine
  subroutine threaded(x, order)
    real, pointer :: x(:)
    integer, intent(in) :: order(:)
    integer :: i
    do i = 1, size(order)
      if (mod(order(i), 2) == 0) then
        x => t1(order(i):)
      else
        s => t1(:order(i) + 1)
      end if
      x(1) = x(1) + 1
      print *, size(x), size(s), x
    end do
  end subroutine
end program
