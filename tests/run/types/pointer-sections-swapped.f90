! Pointers to rows, columns and strided sections; swapping them; arrays of pointers.
program p
  implicit none
  integer :: i, j, n
  real, target :: grid(5,5)
  real, pointer :: row(:), box(:,:), diag(:), q(:)
  type cell
    real, pointer :: v(:) => null()
  end type
  type(cell) :: cells(3)
  real, allocatable, target :: pool(:)
  forall (i=1:5, j=1:5) grid(i,j) = 10*i + j
  row => grid(2,:)
  box => grid(2:4:2, 5:1:-2)
  print *, row, shape(box), box
  row(2:3) = -row(2:3)
  print *, grid(2,:)
  diag(0:) => row(1:3)
  print *, lbound(diag), ubound(diag), associated(diag, row(1:3)), associated(row, grid(2,:)), associated(box)
  allocate(pool(6)); pool = [(real(i), i=1,6)]
  do i = 1, 3
    cells(i)%v => pool(2*i-1:2*i)
  end do
  cells(2)%v = 0
  print *, pool, size(cells(3)%v)
  q => cells(3)%v
  nullify(cells(3)%v)
  print *, associated(cells(3)%v), q, associated(q, pool(5:6))
  call swap(row, q)
  print *, size(row), size(q)
  nullify(q); allocate(q(3), source=[7.0,8.0,9.0])
  print *, q, sum(grid(:, 2))
  deallocate(q)
  n = count_assoc(cells)
  print *, n
  box(:,:) = 0
  where (grid == 0) grid = 99
  print '(5f6.1)', grid
contains
  subroutine swap(a, b)
    real, pointer, intent(inout) :: a(:), b(:)
    real, pointer :: t(:)
    t => a
    a => b
    b => t
  end subroutine
  integer function count_assoc(c)
    type(cell), intent(in) :: c(:)
    integer :: k
    count_assoc = 0
    do k = 1, size(c)
      if (associated(c(k)%v)) count_assoc = count_assoc + 1
    end do
  end function
end program
