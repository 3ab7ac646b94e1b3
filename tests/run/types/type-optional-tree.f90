! INTENT(OUT) and OPTIONAL structures, a tree of allocatables, arrays of structures as results.
module m
  implicit none
  type opt
    integer :: n = 5
    real, allocatable :: w(:)
    character(:), allocatable :: name
  end type
  type tree
    integer :: key
    type(tree), allocatable :: l, r
  end type
contains
  subroutine reset(o, n)
    type(opt), intent(out) :: o
    integer, optional, intent(in) :: n
    if (present(n)) o%n = n
  end subroutine
  subroutine use_opt(o)
    type(opt), optional, intent(in) :: o
    if (present(o)) then
      print *, 'present', o%n
    else
      print *, 'absent'
    end if
  end subroutine
  recursive subroutine insert(t, k)
    type(tree), allocatable, intent(inout) :: t
    integer, intent(in) :: k
    if (.not. allocated(t)) then
      allocate (t)
      t%key = k
    else if (k < t%key) then
      call insert(t%l, k)
    else
      call insert(t%r, k)
    end if
  end subroutine
  recursive subroutine show(t)
    type(tree), allocatable, intent(in) :: t
    if (.not. allocated(t)) return
    call show(t%l)
    write (*, '(i4)', advance='no') t%key
    call show(t%r)
  end subroutine
  function names(n) result(r)
    integer, intent(in) :: n
    type(opt) :: r(n)
    integer :: i
    do i = 1, n
      r(i)%n = i
      r(i)%name = repeat(achar(96 + i), i)
    end do
  end function
end module
program p
  use m
  implicit none
  type(opt) :: o, a(3)
  type(tree), allocatable :: t
  integer :: i, keys(8) = [5, 2, 8, 1, 9, 3, 7, 4]
  o%n = 1
  o%w = [1.0, 2.0]
  call reset(o)
  print *, o%n, allocated(o%w)
  call reset(o, 9)
  print *, o%n
  call use_opt(o)
  call use_opt
  do i = 1, 8
    call insert(t, keys(i))
  end do
  call show(t)
  print *
  a = names(3)
  do i = 1, 3
    print *, a(i)%n, a(i)%name, len(a(i)%name)
  end do
  a(1) = a(3)
  a(3)%name = 'changed'
  print *, a(1)%name, ' ', a(3)%name
end program
