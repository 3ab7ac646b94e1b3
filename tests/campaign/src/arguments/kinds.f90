module kinds
  implicit none
  type pair
    integer :: a
    real(8) :: b
  end type
  type holder
    integer :: k = 0
    integer :: a(5) = 0
    integer, allocatable :: al(:)
    integer, pointer :: p(:) => null()
    real(8) :: m(3, 2) = 0
    character(4) :: c(2) = ' '
    type(pair) :: s
  end type
  integer :: n1 = 2, n2 = 5, n3 = 3
  integer, target :: mi(6) = [61, 62, 63, 64, 65, 66], mio = 67
  real(8), target :: mr(6) = [6.25d0, 6.5d0, 6.75d0, 7d0, 7.25d0, 7.5d0], mro = 7.75d0
  character(4), target :: mc(6) = ['mc-1', 'mc-2', 'mc-3', 'mc-4', 'mc-5', 'mc-6'], mco = 'mc-o'
  type(pair), target :: mp(6), mpo
  interface show
    module procedure show_i0, show_i1, show_i2, show_r0, show_r1, show_r2, show_c0, show_c1, show_c2, show_p0, show_p1, show_p2
  end interface
  interface bump
    module procedure bump_i0, bump_i1, bump_i2, bump_r0, bump_r1, bump_r2, bump_c0, bump_c1, bump_c2, bump_p0, bump_p1, bump_p2
  end interface
contains
  elemental function turned(s) result(r)
    character(*), intent(in) :: s
    character(len(s)) :: r
    r = s(2:)//s(1:1)
  end function
  function list_i(n) result(r)
    integer, intent(in) :: n
    integer :: r(n), k
    r = [(10*k, k = 1, n)]
  end function
  function list_r(n) result(r)
    integer, intent(in) :: n
    real(8) :: r(n)
    integer :: k
    r = [(0.25d0*k, k = 1, n)]
  end function
  function list_c(n) result(r)
    integer, intent(in) :: n
    character(4) :: r(n)
    integer :: k
    do k = 1, n
      r(k) = 'l'//achar(96 + k)//'st'
    end do
  end function
  function list_p(n) result(r)
    integer, intent(in) :: n
    type(pair) :: r(n)
    integer :: k
    r = [(pair(k, k/2d0), k = 1, n)]
  end function
  subroutine show_i0(tag, x)
    character(*), intent(in) :: tag
    integer, intent(in) :: x
    print '(a,*(1x,i0))', tag, x
  end subroutine
  subroutine show_i1(tag, x)
    character(*), intent(in) :: tag
    integer, intent(in) :: x(:)
    print '(a,*(1x,i0))', tag, size(x), x
  end subroutine
  subroutine show_i2(tag, x)
    character(*), intent(in) :: tag
    integer, intent(in) :: x(:, :)
    print '(a,*(1x,i0))', tag, shape(x), x
  end subroutine
  subroutine show_r0(tag, x)
    character(*), intent(in) :: tag
    real(8), intent(in) :: x
    print '(a,*(1x,f0.5))', tag, x
  end subroutine
  subroutine show_r1(tag, x)
    character(*), intent(in) :: tag
    real(8), intent(in) :: x(:)
    print '(a,1x,i0,*(1x,f0.5))', tag, size(x), x
  end subroutine
  subroutine show_r2(tag, x)
    character(*), intent(in) :: tag
    real(8), intent(in) :: x(:, :)
    print '(a,2(1x,i0),*(1x,f0.5))', tag, shape(x), x
  end subroutine
  subroutine show_c0(tag, x)
    character(*), intent(in) :: tag, x
    print '(a,1x,i0,*(1x,a))', tag, len(x), x
  end subroutine
  subroutine show_c1(tag, x)
    character(*), intent(in) :: tag, x(:)
    print '(a,2(1x,i0),*(1x,a))', tag, len(x), size(x), x
  end subroutine
  subroutine show_c2(tag, x)
    character(*), intent(in) :: tag, x(:, :)
    print '(a,3(1x,i0),*(1x,a))', tag, len(x), shape(x), x
  end subroutine
  subroutine show_p0(tag, x)
    character(*), intent(in) :: tag
    type(pair), intent(in) :: x
    print '(a,1x,i0,1x,f0.5)', tag, x%a, x%b
  end subroutine
  subroutine show_p1(tag, x)
    character(*), intent(in) :: tag
    type(pair), intent(in) :: x(:)
    print '(a,1x,i0,*(1x,i0,1x,f0.5))', tag, size(x), x
  end subroutine
  subroutine show_p2(tag, x)
    character(*), intent(in) :: tag
    type(pair), intent(in) :: x(:, :)
    print '(a,2(1x,i0),*(1x,i0,1x,f0.5))', tag, shape(x), x
  end subroutine
  subroutine bump_i0(x)
    integer, intent(inout) :: x
    x = x + 3
  end subroutine
  subroutine bump_i1(x)
    integer, intent(inout) :: x(0:)
    integer :: k
    do k = 0, size(x) - 1
      if (mod(x(k), 2) == 0) x(k) = x(k) + k
    end do
  end subroutine
  subroutine bump_i2(x)
    integer, intent(inout) :: x(:, :)
    x = x + transpose(reshape([1], shape=[size(x, 2), size(x, 1)], pad=[2]))
  end subroutine
  subroutine bump_r0(x)
    real(8), intent(inout) :: x
    x = x*0.5d0
  end subroutine
  subroutine bump_r1(x)
    real(8), intent(inout) :: x(:)
    x = x(size(x):1:-1)
  end subroutine
  subroutine bump_r2(x)
    real(8), intent(inout) :: x(:, :)
    where (x > 1) x = x - 0.25d0
  end subroutine
  subroutine bump_c0(x)
    character(*), intent(inout) :: x
    x = x(2:)//x(1:1)
  end subroutine
  subroutine bump_c1(x)
    character(*), intent(inout) :: x(:)
    x = turned(x)
  end subroutine
  subroutine bump_c2(x)
    character(*), intent(inout) :: x(:, :)
    x(:, 1)(1:1) = 'B'
  end subroutine
  subroutine bump_p0(x)
    type(pair), intent(inout) :: x
    x = pair(x%a + 1, x%b/2)
  end subroutine
  subroutine bump_p1(x)
    type(pair), intent(inout) :: x(:)
    integer :: k
    x%a = x%a + [(k, k = 1, size(x))]
  end subroutine
  subroutine bump_p2(x)
    type(pair), intent(inout) :: x(:, :)
    x(:, 1)%b = x(:, 1)%b + 1
  end subroutine
  subroutine flat_i(x, n)
    integer, intent(in) :: n
    integer, intent(inout) :: x(n)
    if (n > 1) x([1, n]) = x([n, 1])
  end subroutine
  subroutine star_i(x, n)
    integer, intent(in) :: n
    integer :: x(2, *)
    call show('star', x(:, :n/2))
  end subroutine
  subroutine flat_r(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    if (n > 1) x([1, n]) = x([n, 1])
  end subroutine
  subroutine star_r(x, n)
    integer, intent(in) :: n
    real(8) :: x(2, *)
    call show('star', x(:, :n/2))
  end subroutine
  subroutine flat_c(x, n)
    integer, intent(in) :: n
    character(*), intent(inout) :: x(n)
    if (n > 1) x([1, n]) = x([n, 1])
  end subroutine
  subroutine star_c(x, n)
    integer, intent(in) :: n
    character(*) :: x(2, *)
    call show('star', x(:, :n/2))
  end subroutine
  subroutine flat_p(x, n)
    integer, intent(in) :: n
    type(pair), intent(inout) :: x(n)
    if (n > 1) x([1, n]) = x([n, 1])
  end subroutine
  subroutine star_p(x, n)
    integer, intent(in) :: n
    type(pair) :: x(2, *)
    call show('star', x(:, :n/2))
  end subroutine
  subroutine reset_holder(x, k)
    type(holder), intent(inout) :: x
    integer, intent(in) :: k
    x%k = k
    x%a = [k + 1, k + 2, k + 3, k + 4, k + 5]
    if (allocated(x%al)) deallocate(x%al)
    allocate(x%al(4), source=[k, 2*k, 3*k, 4*k])
    allocate(x%p(3), source=[-k, -2*k, -3*k])
    x%m = reshape([1d0, 1.25d0, 1.5d0, 1.75d0, 2d0, 2.25d0], [3, 2]) + k
    x%c = ['one ', 'two ']
    x%s = pair(k, k/2d0)
  end subroutine
  subroutine show_holder(tag, x)
    character(*), intent(in) :: tag
    type(holder), intent(in) :: x
    call show(tag, [x%k, x%a])
    if (allocated(x%al)) call show(tag, x%al)
    if (associated(x%p)) call show(tag, x%p)
    call show(tag, x%m)
    call show(tag, x%c)
    call show(tag, x%s)
  end subroutine
  subroutine reset_kinds
    mi = [61, 62, 63, 64, 65, 66]
    mio = 67
    mr = [6.25d0, 6.5d0, 6.75d0, 7d0, 7.25d0, 7.5d0]
    mro = 7.75d0
    mc = ['mc-1', 'mc-2', 'mc-3', 'mc-4', 'mc-5', 'mc-6']
    mco = 'mc-o'
    mp = [pair(1, 1d0), pair(2, 2d0), pair(3, 3d0), pair(4, 4d0), pair(5, 5d0), pair(6, 6d0)]
    mpo = pair(7, 7d0)
  end subroutine
end module
