! Pointers, allocatables and results whose length is computed at entry or taken from the caller.
program main
  implicit none
  character(12), pointer :: p(:)
  character(12), allocatable :: a(:), s
  integer :: k
  character(6) :: source(2) = ['abcdef', 'ghijkl']
  nullify(p)
  call point(p, 12)
  print *, size(p), p
  call fill(a, 12)
  print *, size(a), len(a), a
  k = 7
  call hosted(k)
  call assumed(s, a)
  print *, s, size(a), a
  print *, copied(source), len(copied(source))
  print *, taken(source, 3)
  print *, part('hello world', 4), len(part('hello world', 4))
contains
  subroutine point(p, n)
    integer, intent(in) :: n
    character(n), pointer :: p(:)
    allocate(p(3))
    p = 'pqr'
    p(2) = 'second'
  end subroutine point

  subroutine fill(x, n)
    integer, intent(in) :: n
    character(n), allocatable, intent(out) :: x(:)
    allocate(x(2))
    x(1) = 'first'
    x(2) = 'second'
  end subroutine fill

  subroutine assumed(x, y)
    character(*), allocatable :: x, y(:)
    allocate(character(*) :: x)
    x = 'assumed'
    if (allocated(y)) deallocate(y)
    allocate(y(1))
    y = x
  end subroutine assumed

  function copied(x) result(r)
    character(*) :: x(:)
    character(len(x)), pointer :: r(:)
    allocate(r(size(x)))
    r = x
  end function copied

  function taken(x, n) result(r)
    character(*) :: x(:)
    integer :: n
    character(n), allocatable :: r(:)
    allocate(r(2))
    r = x
  end function taken

  function part(x, n) result(r)
    character(*) :: x
    integer :: n
    character(n), allocatable :: r
    allocate(r)
    r = x
  end function part
end program main

subroutine hosted(n)
  integer :: n
  character(n), allocatable :: w(:), v
  allocate(w(2), v)
  v = 'abcdefghij'

  n = 3
  call inside()
  print *, w, len(w), v
contains
  subroutine inside()
    w(1) = 'abcdefghij'
    w(2) = v
    print *, len(w), len(v)
  end subroutine inside
end subroutine hosted
