! A generic sort with an optional comparison procedure.
module sorting
  implicit none
  interface sort
    module procedure sort_int, sort_real, sort_char
  end interface
  abstract interface
    logical function compare(a, b)
      integer, intent(in) :: a, b
    end function
  end interface
contains
  recursive subroutine sort_int(a, less)
    integer, intent(inout) :: a(:)
    procedure(compare), optional :: less
    integer :: i, j, t
    do i = 2, size(a)
      t = a(i)
      j = i - 1
      do while (j >= 1)
        if (present(less)) then
          if (.not. less(t, a(j))) exit
        else
          if (t >= a(j)) exit
        end if
        a(j+1) = a(j)
        j = j - 1
      end do
      a(j+1) = t
    end do
  end subroutine
  recursive subroutine sort_real(a)
    real, intent(inout) :: a(:)
    real :: pivot, t
    integer :: i, j
    if (size(a) < 2) return
    pivot = a((1 + size(a))/2)
    i = 1; j = size(a)
    do
      do while (a(i) < pivot); i = i + 1; end do
      do while (a(j) > pivot); j = j - 1; end do
      if (i <= j) then
        t = a(i); a(i) = a(j); a(j) = t
        i = i + 1; j = j - 1
      end if
      if (i > j) exit
    end do
    call sort_real(a(:j))
    call sort_real(a(i:))
  end subroutine
  subroutine sort_char(a)
    character(*), intent(inout) :: a(:)
    character(len(a)) :: t
    integer :: i, j
    do i = 1, size(a) - 1
      do j = i + 1, size(a)
        if (a(j) < a(i)) then
          t = a(i); a(i) = a(j); a(j) = t
        end if
      end do
    end do
  end subroutine
  logical function greater(a, b)
    integer, intent(in) :: a, b
    greater = a > b
  end function
end module
program p
  use sorting
  implicit none
  integer :: v(6)
  real :: x(7)
  character(5) :: w(4)
  v = [5, 2, 9, 1, 7, 3]
  call sort(v)
  print *, v
  call sort(v, greater)
  print *, v
  x = [3., 1., 2., 9., -4., 5., 0.]
  call sort(x)
  print *, x
  w = [character(5) :: 'pear', 'fig', 'apple', 'kiwi']
  call sort(w)
  print *, w
end program
