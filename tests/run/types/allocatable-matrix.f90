! Structures with allocatable matrices as results and operands; strings and arrays that grow.
program p
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: mat
    integer :: n, m
    real(dp), allocatable :: a(:, :)
  end type
  type(mat) :: x, y, z
  integer :: i, j
  character(:), allocatable :: s, parts(:)
  integer, allocatable :: idx(:)
  x = ident(3)
  y = ident(3)
  y%a(1, 2) = 5
  z = mul(x, y)
  z = mul(z, y)
  do i = 1, z%n
    print '(3f8.2)', z%a(i, :)
  end do
  print *, trace(z), sum(z%a), maxval(z%a, 1)
  z%a = transpose(z%a) + x%a
  print *, z%a(2, 1), shape(z%a)
  z%a = z%a(1:2, :)
  print *, shape(z%a)
  s = ''
  do i = 1, 5
    s = s // achar(64 + i)
  end do
  print *, s, len(s)
  parts = split('one,two,three', ',')
  do i = 1, size(parts)
    print *, '[', trim(parts(i)), ']'
  end do
  idx = [integer ::]
  do i = 1, 10
    if (mod(i, 3) == 0) idx = [idx, i]
  end do
  print *, idx
  idx = idx(size(idx):1:-1)
  print *, idx, sum(idx)
contains
  function ident(n) result(r)
    integer, intent(in) :: n
    type(mat) :: r
    integer :: i
    r%n = n
    r%m = n
    allocate (r%a(n, n))
    r%a = 0
    do i = 1, n
      r%a(i, i) = 1
    end do
  end function
  function mul(a, b) result(c)
    type(mat), intent(in) :: a, b
    type(mat) :: c
    c%n = a%n
    c%m = b%m
    c%a = matmul(a%a, b%a)
  end function
  real(dp) function trace(a)
    type(mat), intent(in) :: a
    integer :: i
    trace = 0
    do i = 1, a%n
      trace = trace + a%a(i, i)
    end do
  end function
  function split(text, sep) result(r)
    character(*), intent(in) :: text, sep
    character(:), allocatable :: r(:)
    integer :: n, k, from
    n = 1
    do k = 1, len(text)
      if (text(k:k) == sep) n = n + 1
    end do
    allocate (character(len(text)) :: r(n))
    n = 1
    from = 1
    do k = 1, len(text)
      if (text(k:k) == sep) then
        r(n) = text(from:k - 1)
        from = k + 1
        n = n + 1
      end if
    end do
    r(n) = text(from:)
  end function
end program
