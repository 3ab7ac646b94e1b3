! Functions in array constructors are called once, also where the size of their results is the size of the array.
module counted
  integer :: calls = 0
  type name
    character(2) :: text
    integer, allocatable :: values(:)
  end type
contains
  function upto(n)
    integer, intent(in) :: n
    integer :: upto(n)
    calls = calls + 1
    upto = (/ (calls * 100 + i, i = 1, n) /)
  end function
  function words(n) result(w)
    integer, intent(in) :: n
    character(n) :: w(2)
    calls = calls + 1
    w(1) = repeat(char(96 + calls), n)
    w(2) = repeat(char(64 + calls), n)
  end function
  function names(n) result(r)
    integer, intent(in) :: n
    type(name) :: r(n)
    calls = calls + 1
    do i = 1, n
      r(i)%text = char(96 + calls) // char(48 + i)
      allocate (r(i)%values(i))
      r(i)%values = calls
    end do
  end function
end module
program once
  use counted
  integer, allocatable :: a(:)
  type(name), allocatable :: n(:)
  character(3) :: s(8)
  integer :: i, j
  allocate (a(6))
  a = (/ (upto(i), i = 1, 3) /)
  print *, calls, a
  deallocate (a)
  allocate (a(60))
  a = (/ ((upto(mod(i * j, 4)), -upto(1), j = 1, 3), (0, j = 1, i), i = 1, 5), upto(2), 0 /)
  print *, calls, sum(a), size((/ ((upto(mod(i * j, 4)), -upto(1), j = 1, 3), (0, j = 1, i), i = 1, 5), upto(2) /))
  print *, a
  print *, sum((/ (upto(i), i = 1, 0) /)), size((/ (upto(i), i = 1, 0) /)), calls
  calls = 0
  s = (/ (words(3), i = 1, 4) /)
  print *, calls, s
  calls = 0
  allocate (n(10))
  n = (/ (names(i), i = 1, 4) /)
  print *, calls, n%text, (n(i)%values, i = 1, 10)
  print *, matmul(reshape((/ (upto(2), i = 1, 2) /), (/ 2, 2 /)), (/ 1, 1 /)), calls
  do i = 0, 40, 20
    print *, i, check((/ (upto(j), j = 1, i) /)), calls
  end do
contains
  integer function check(v)
    integer, intent(in) :: v(:)
    check = sum(mod(v, 100)) + size(v)
  end function
end program
