! Each case does what one of the run-time checks finds.
program more
  implicit none
  integer :: which, n, a(3) = 0, k
  integer, allocatable :: list(:)
  integer, pointer :: target_of(:)
  character(len=5) :: word = 'abcde'
  real :: b(2, 3) = 1, c(4, 2) = 1, x
  read *, which
  n = 4
  nullify (target_of)
  select case (which)
  case (1)
    word(n:n + 3) = 'x'
  case (2)
    print *, word(n - 5:n)
  case (3)
    allocate (target_of(3))
    a(1:3) = target_of(1:n - 2)
  case (4)
    do k = 1, 3
      call next(k)
    end do
  case (5)
    call sizes(list)
  case (6)
    call sizes(target_of)
  case (7)
    n = n + 1
    b(:, 1:n) = c(:2, :)
  case (8)
    print *, matmul(b, c(1:n, :))
  case (9)
    print *, dot_product(a, [(k, k=1, n)])
  case (10)
    x = n - 4
    print *, 1 / x
    print *, sqrt(x - 1)
  end select
  stop
contains
  subroutine next(i)
    integer :: i
    if (i == 2) i = i + 1
  end subroutine
  subroutine sizes(v)
    integer, intent(in) :: v(:)
    print *, size(v)
  end subroutine
end program
