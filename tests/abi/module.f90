! What a module passes: allocatables, pointers, results of every kind, variables.
module shapes
  implicit none
  type pt
    real(8) :: x
    integer :: k
    integer, allocatable :: v(:)
    character(3) :: s
    real, pointer :: p(:) => null()
  end type
  integer :: counter = 7
  real(8), allocatable :: store(:,:)
  integer, pointer :: ptr(:) => null()
  character(:), allocatable :: name
  integer, parameter :: secret = 42
contains
  subroutine make(a, n)
    integer, allocatable, intent(out) :: a(:)
    integer, intent(in) :: n
    integer :: i
    allocate(a(-1:n))
    a = [(i*i, i=-1,n)]
  end subroutine
  subroutine grow(a)
    real(8), allocatable, intent(inout) :: a(:,:)
    if (.not. allocated(a)) then
      allocate(a(2,3)); a = 1.5d0
    else
      a = reshape([1d0,2d0,3d0,4d0], [2,2])
    end if
  end subroutine
  subroutine point(p, t)
    integer, pointer :: p(:)
    integer, target :: t(7)
    p => t(size(t):1:-2)
  end subroutine
  function ap(n) result(r)
    integer, intent(in) :: n
    integer, pointer :: r(:)
    allocate(r(n)); r = n
  end function
  function al(n) result(r)
    integer, intent(in) :: n
    real, allocatable :: r(:)
    integer :: i
    r = [(i*0.5, i=1,n)]
  end function
  function cf(s) result(r)
    character(*), intent(in) :: s
    character(len(s)+2) :: r
    r = '<' // s // '>'
  end function
  function df(s) result(r)
    character(*), intent(in) :: s
    character(:), allocatable :: r
    r = s // '+' // trim(s)
  end function
  complex function cz(a, b)
    complex, intent(in) :: a
    complex(8), intent(in) :: b
    cz = a * cmplx(b)
  end function
  logical function lg(l, m)
    logical(1), intent(in) :: l
    logical, intent(in) :: m
    lg = l .neqv. m
  end function
  subroutine alloc_char(c)
    character(:), allocatable, intent(inout) :: c
    if (allocated(c)) then
      c = c // c
    else
      c = 'new'
    end if
  end subroutine
  subroutine alloc_chars(c, n)
    character(:), allocatable, intent(out) :: c(:)
    integer :: n
    integer :: i
    allocate(character(n) :: c(3))
    do i = 1, 3
      c(i) = repeat(achar(64+i), n)
    end do
  end subroutine
  subroutine scalar_alloc(a, p)
    real(8), allocatable :: a
    real(8), pointer :: p
    a = 3.5d0
    allocate(p); p = 4.5d0
  end subroutine
  function typef(n) result(t)
    integer, intent(in) :: n
    type(pt) :: t
    t%x = n; t%k = n; t%v = [n, n+1]; t%s = 'abc'
    allocate(t%p(2)); t%p = 0.25
  end function
  subroutine apply(f, a, n)
    interface
      real(8) function f(x, s)
        real(8), intent(in) :: x
        character(*), intent(in) :: s
      end function
    end interface
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    integer :: i
    do i = 1, n
      a(i) = f(a(i), 'hello')
    end do
  end subroutine
  subroutine contig(a, n)
    integer, intent(in) :: n
    real, intent(inout) :: a(n,*)
    a(1:n,1) = a(1:n,1) * 2
  end subroutine
  elemental real function sq(x)
    real, intent(in) :: x
    sq = x*x
  end function
  subroutine set_store(n)
    integer, intent(in) :: n
    integer :: i
    if (allocated(store)) deallocate(store)
    allocate(store(0:n, 2)); store = n
    allocate(ptr(3)); ptr = [(i, i=1,3)]
    name = 'stored name'
    counter = counter + n
  end subroutine
end module
