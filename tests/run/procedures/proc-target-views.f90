! Pointers to TARGET dummy arguments of assumed shape point to the actual arguments, with their gaps, after the call too
module views
  implicit none
  type :: cell
    integer :: n = 0
    real(8) :: x(3) = 0
    character(4) :: tag = 'none'
  end type
  real(8), pointer, save :: line(:) => null(), plane(:, :) => null()
  integer, pointer, save :: numbers(:) => null()
  character(:), pointer, save :: tags(:) => null()
  type(cell), pointer, save :: cells(:) => null()
  abstract interface
    subroutine attach_if(a)
      real(8), target, intent(in) :: a(:)
    end subroutine
  end interface
contains
  subroutine attach(a)
    real(8), target, intent(in) :: a(:)
    line => a
  end subroutine
  subroutine attach_plane(a, lo)
    integer, intent(in) :: lo
    real(8), target, intent(inout) :: a(lo:, 0:)
    plane => a
    a(lo, 0) = a(lo, 0) + 1
    print *, lbound(a), ubound(a), size(a), is_contiguous(a(:, 0)), sum(a)
    call attach(a(:, 1))
    call add_to(a)
  end subroutine
  ! Without TARGET: the elements come in a copy, if need be.
  subroutine add_to(b)
    real(8), intent(inout) :: b(:, :)
    b = b + 100
  end subroutine
  subroutine attach_numbers(n)
    integer, target :: n(:)
    numbers => n(size(n):1:-1)
    n = n + 1
  end subroutine
  subroutine attach_tags(t, extra)
    character(*), target, intent(inout) :: t(:)
    real(8), target, optional, intent(in) :: extra(:)
    tags => t
    t(1)(1:1) = '*'
    if (present(extra)) print *, 'extra', extra, sum(extra)
  end subroutine
  subroutine attach_cells(c)
    type(cell), target, intent(inout) :: c(:)
    integer :: k
    cells => c
    do k = 1, size(c)
      c(k)%n = c(k)%n * 10
    end do
    c%x(2) = 5
    call attach(c(2)%x)
    call inner(2)
  contains
    subroutine inner(at)
      integer, intent(in) :: at
      c(at)%tag = 'in'
      print *, size(c), c%n
    end subroutine
  end subroutine
  real(8) function total(a, m) result(t)
    real(8), target, intent(in) :: a(:)
    logical, intent(in) :: m(:)
    real(8), pointer :: p(:)
    integer :: k
    p => a
    t = 0
    do k = 1, size(a)
      if (m(k)) t = t + a(k) * p(size(p) + 1 - k)
    end do
  end function
  subroutine through(f, a)
    procedure(attach_if) :: f
    real(8), intent(in) :: a(:)
    call f(a)
  end subroutine
end module

program target_views
  use views
  implicit none
  real(8), target :: g(4, 5) = 0, h(6) = [1, 2, 3, 4, 5, 6]
  real(8), pointer :: p(:), q(:, :)
  real(8), allocatable, target :: al(:, :)
  integer, target :: n(8) = [1, 2, 3, 4, 5, 6, 7, 8]
  character(5), target :: t(4) = ['alpha', 'beta ', 'gamma', 'delta']
  type(cell), target :: c(5)
  procedure(attach_if), pointer :: f
  integer :: k
  call attach(g(2, :))
  line = 7
  print *, g(2, :), sum(g)
  call attach(g(4:1:-2, 3))
  line = [1, 2]
  print *, g(:, 3)
  call attach_plane(g(1::3, 2:4), -1)
  plane(:, 0) = -plane(:, 0)
  line(2) = 0.5
  print '(4f8.1)', g
  call attach_numbers(n(2:8:3))
  print *, n, numbers
  numbers(1) = 80
  print *, n
  call attach_tags(t(4:1:-1))
  tags(2) = 'x' // tags(1)
  print *, t, tags
  call attach_tags(t(::3), h(6:1:-2))
  tags = 'same'
  print *, t
  c%n = [1, 2, 3, 4, 5]
  call attach_cells(c(5:1:-2))
  cells(1)%tag = 'last'
  line(3) = 9
  print *, c%n, c%tag
  print '(5f5.1)', c%x(2), c%x(3)
  p => h(2:6:2)
  call attach(p)
  line = -line
  p => h(6:1:-1)
  call attach(p(::2))
  line(1) = 60
  print *, h
  allocate (al(3, 3))
  al = reshape([(real(k, 8), k = 1, 9)], [3, 3])
  q => al(1:3:2, :)
  call attach(q(2, :))
  line(2) = -1
  print *, al
  print *, total(al(2, :), [.true., .false., .true.]), total(h([1, 3]), [.true., .true.]), total(2 * h, [(k > 3, k = 1, 6)])
  f => attach
  call f(h(1:3))
  line = 0
  call through(attach, h)
  print *, h
end program
